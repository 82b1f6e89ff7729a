export { type CaseNote, type CaseServer, caseServer } from "./case-server.ts";
export { echo, everything, filesystem, memory, type ServerCommand } from "./command.ts";
export { type RunningServer, startEverything } from "./everything-http.ts";
