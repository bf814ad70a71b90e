/** The tests of a rekey once more, on a server that has the requests with a token alone, as OpenBao 2.5 by default. */
process.env.QUARTERDECK_TEST_REKEY = "authenticated";

require("./rekey.test");
require("./rekeyMishaps.test");
