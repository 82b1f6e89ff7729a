export {
  type MockHandler,
  type MockRequest,
  type MockServer,
  type MockServerOptions,
  type MockTool,
  type MockToolContext,
  mockServer,
} from "./testing/mock-server.ts";
export { MockTransport } from "./testing/mock-transport.ts";
