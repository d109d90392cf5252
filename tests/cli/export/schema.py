# SPDX-License-Identifier: BSD-3-Clause
"""Files by a JSON schema: schema.py SCHEMA FILE...

SCHEMA is a file, or the word "speedscope": then it is the one that speedscope
has in its package, which is fetched.  Prints "FILE valid", or what is wrong, a
line per file.  Exit code 77, with the reason: there is no validator or schema.
"""
import io
import json
import os
import sys
import tarfile
import urllib.request

PACKAGE = "speedscope/-/speedscope-1.25.0.tgz"
MEMBER = "package/dist/release/file-format-schema.json"


def skip(reason):
    print(reason)
    sys.exit(77)


def fetched():
    """No copy of it is here: it is not ours."""
    registry = os.environ.get("NPM_CONFIG_REGISTRY",
                              "https://registry.npmjs.org")
    try:
        with urllib.request.urlopen(registry.rstrip("/") + "/" + PACKAGE,
                                    timeout=300) as answer:
            package = answer.read()
    except OSError as error:
        skip(f"{PACKAGE} cannot be fetched: {error}")
    with tarfile.open(fileobj=io.BytesIO(package)) as files:
        return json.load(files.extractfile(MEMBER))


def main():
    try:
        import jsonschema
    except ImportError:
        skip("Python has no jsonschema (Debian: python3-jsonschema)")
    name = sys.argv[1]
    schema = fetched() if name == "speedscope" else \
        json.load(open(name, encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    for path in sys.argv[2:]:
        document = json.load(open(path, encoding="utf-8"))
        error = next(kind(schema).iter_errors(document), None)
        print(path, "valid" if error is None else
              f"{list(error.absolute_path)}: {error.message[:300]}")


main()
