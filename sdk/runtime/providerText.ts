/**
 * The text that a resource carries in the state, and that the dynamic host runs from the program's folder. It is
 * the same for every version of this package: nothing of ours is serialised, and an update of the package is no
 * change of any resource. Where the package is not found, its message ends with what to run.
 */
export function providerText(token: string): string {
  return `let p="pulumi-quarterdeck";try{exports.handler=require(p+"/host")("${token}")}catch(e){throw Error(e+"\\nRun: npm install "+p)}`;
}
