@node "%~dp0pulumi-resource-quarterdeck" %*
