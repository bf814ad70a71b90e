/** Repeats the tests of a rekey on a server that has only the authenticated requests, as OpenBao 2.5 by default. */
process.env.QUARTERDECK_TEST_REKEY = "authenticated";

require("./rekey.test");
require("./rekeyLosses.test");
