/**
 * The text that the state stores for each resource, and that the dynamic provider host evaluates in the program's folder. It is the
 * same for every version of this package: none of this package's code is serialized, and updating the package changes no
 * resource. If the package is not found, the message ends with the command to run.
 */
export function providerText(token: string): string {
  return `let p="pulumi-quarterdeck";try{exports.handler=require(p+"/host")("${token}")}catch(e){throw Error(e+"\\nRun: npm install "+p)}`;
}
