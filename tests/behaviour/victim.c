#include "kit.h"
int main(int c,char**v){(void)c;return strcmp(v[1],"sanitized")==0 ? !IS_SANITIZED : 0;}
