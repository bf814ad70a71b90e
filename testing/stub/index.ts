/** The four mock servers on loopback. They follow the specification and simulate faults on demand. */
export { StubClock } from "./clock";
export { StubControl, StubControlError, type StubControls } from "./control";
export { environmentOf } from "./environment";
export type { Edit, Fault, FaultInput, FaultKind } from "./frame/fault";
export type { FaultReport } from "./frame/fault-book";
export type { Matcher, RequestFilter } from "./frame/matching";
export type { LogBounds, LoggedRequest } from "./frame/request-log";
export { DEFAULT_PORTS, defaultSeed, TEST_TOKENS } from "./seed";
export {
  BadRequest,
  SERVICE_NAMES,
  type ServiceName,
  type StubRequest,
  type StubResponse,
  type StubRoute,
  type StubService,
} from "./service";
export { type Dialect, type Stub, type StubOptions, startStub } from "./start";
