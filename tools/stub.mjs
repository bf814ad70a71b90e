// Starts the stub's four mock servers on loopback, like `quarterdeck-stub`.
import "../testing/dist/stub/bin.js";
