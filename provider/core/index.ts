/** Everything of the core that the services use. */

export { withoutOrdinary } from "./diff/project";
export { blockingFields, blockingResult, blockingRules, listArguments, watchFields } from "./functions/asked";
export {
  convertToSchema,
  defineFunction,
  type FunctionDefinition,
  functionFields,
  limitField,
} from "./functions/define";
export { collect, type ListDefinition, listFunction, objectsFunction } from "./functions/list";
export { functionResult, readFunction, shownFields } from "./functions/read";
export { isPlainTextError } from "./http/describe";
export { Invalid, NotFound, ServiceError, withoutStack } from "./http/errors";
export { elementsIn, type ListRequest, listElements, type PageStyle } from "./http/paging";
export {
  ActionableError,
  again,
  editProgram,
  errorSummary as summaryOf,
  type MessageFacts,
  manualCheck,
  refreshFirst,
  rerunUp,
  set,
} from "./http/remedies";
export {
  type HttpRequest,
  type HttpResponse,
  isSuccess,
  type ServiceWarning,
  warningsInHeaders,
} from "./http/request";
export { NotSent } from "./http/retry";
export { encodeSegment, parseBaseUrl, whyNoName } from "./http/urls";
export { addressOf, knownAddress } from "./language/address";
export { ADOPTION } from "./language/adoption";
export { type Cluster, FORWARDING, OWN } from "./language/cluster";
export type { BlockedByOthers } from "./language/commandWrites";
export { actionFields, commonFields, writeOnlyFields } from "./language/commonFields";
export {
  checksByRead,
  checksByReadAndRejection,
  checksByRejection,
  type Deleted,
  deletes,
  deletesChecked,
  type Search,
  stays,
} from "./language/creation";
export { collectDocumentFacts, leavingOut } from "./language/documentFacts";
export { type DocumentFacts, type Facts, factsOf, field, knownFactsOf } from "./language/facts";
export {
  type DefinitionBase,
  fieldNamed,
  type PartlyKnown,
  type PlannedChange,
  type References,
  type Specified,
  wireName,
} from "./language/fields";
export {
  action,
  type Due,
  type DueInput,
  type ProcedureInput,
  type ProcedureProgress,
  procedure,
  writeOnly,
} from "./language/lifecycles";
export type { Forecast, ForecastInput, ForecastLine, Listing } from "./language/listing";
export { type Issued, type Login, loginSetting } from "./language/login";
export { type Decoding, MemberPlace, withStoredNames } from "./language/memberNames";
export * from "./language/members";
export { enumeration } from "./language/members";
export type { Address, Observation, Values } from "./language/object";
export {
  type Default,
  type Naming,
  type Place,
  partsFromResponse,
  place,
  type ResponseParts,
  setting,
} from "./language/place";
export { type AbsenceProof, type Ends, type ExpectedMembers, isRequestedObject } from "./language/reads";
export { type Definition, define, object } from "./language/resource";
export {
  del,
  get,
  type Needed,
  needsText,
  type PermissionsRow,
  patch,
  post,
  put,
  type Route,
} from "./language/route";
export {
  askingForOne,
  atLeastOne,
  exactlyOne,
  exclusive,
  isGiven,
  isWritten,
  type Rule,
  rule,
} from "./language/rules";
export type {
  Connection,
  Dialect,
  RequestSource,
  Service,
  ServiceWithAbsenceProof,
  Settings,
  Site,
} from "./language/service";
export type { ServiceText } from "./language/serviceText";
export { parsedTextOf } from "./language/serviceText";
export type { HookContext, ObjectHookContext, RequestContext } from "./language/stepInput";
export { typedDocument } from "./language/typedDocument";
export {
  type Body,
  type Inheritance,
  type Link,
  type LinkContext,
  merges,
  patches,
  type Receipt,
  repeatableWrite,
  replaces,
  returnedIndex,
  type UpdateInput,
} from "./language/writes";
export { askBlocking, follow, type QueryMeta, queryMetaOf, waitsForChange } from "./requests/blocking";
export { renameMembers } from "./requests/dialect";
export { digestAt, uploadFile } from "./requests/files";
export { ignoredFields } from "./requests/middleware";
export { errorFrom, errorOfRead } from "./requests/observe";
export { probeContext, unknownError } from "./requests/probe";
export { filledPath, filledQuery, permissionsFor, send } from "./requests/send";
export { sendAlike } from "./requests/shared/inList";
export {
  type Outcome,
  probeAfter,
  removeOnce,
  type SentOnce,
  sendOnce,
  writeOnce,
} from "./requests/single";
export { listRequestOf, watchValue } from "./requests/watch";
export { sendWrite } from "./requests/writeResult";
export { NotOfferedError } from "./state/errors";
export { parseRecords } from "./state/records";
export { durationText, isDurationWithUnits, NANOSECONDS_PER_MS, parseDuration } from "./value/duration";
export { digestOfFile } from "./value/fileDigest";
export { equalJson, formatJson, isObject, type Json, objectIn, ownMember, parseJson } from "./value/json";
export { memoByObject, memoByText } from "./value/memo";
export { formatPath, isNamed, KEY, lookUp, ONLY_THERE, type Path, parsePath } from "./value/path";
export { isMarked, metadataOf } from "./value/programInputs";
export { UnreadableFile } from "./value/regularFile";
export {
  amountIn,
  endOf,
  endOfQuoted,
  isEmpty,
  numberIn,
  shellWord,
  stringIn,
  stringsIn,
  textIn,
  wholeIn,
  withoutTrailing,
} from "./value/scalar";
export {
  canonicalValue,
  caseFolded,
  commaList,
  durationAsText,
  durationInNanoseconds,
  durationInSeconds,
  instant,
  isInstant,
  jsonText,
  listOrCommaText,
  type Spelling,
  upperCased,
} from "./value/spelling";
export { asKnown, type Inputs, knownAmong, UNKNOWN, type Value } from "./value/unknown";
