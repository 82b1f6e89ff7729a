export type { FaultSwitch, Faults } from "./board/faults.ts";
export type { FaultEntry, FaultParameter, Stage, Transport } from "./faults/entry.ts";
export type { ActiveFault, Fault, FaultSelection } from "./faults/fault.ts";
export { type FaultName, type FaultParameters, faultTable } from "./faults/table.ts";
export type { AnswerMode } from "./http/http-reply.ts";
export type { JsonObject, RequestId } from "./json-rpc.ts";
export type { Offer, ServiceOptions } from "./protocol/host.ts";
export type { TestTool, ToolContext } from "./protocol/tool.ts";
export type { CallRecord, CancelRecord, ProcessNote, RequestRecord } from "./records/entry.ts";
export type { RecordedServer } from "./server/recorded-server.ts";
export {
  type StdioTestServer,
  type StdioTestServerOptions,
  stdioTestServer,
} from "./server/stdio-test-server.ts";
export {
  type OpenSession,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from "./server/test-server.ts";
export { TestkitError, type TestkitErrorCode } from "./testkit-error.ts";
