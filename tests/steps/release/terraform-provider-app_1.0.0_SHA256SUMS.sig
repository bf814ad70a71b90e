a signature
