import { createCallResult, createRuntime } from "mcporter";
import { everything } from "../servers.ts";

const command = { kind: "stdio" as const, ...everything, cwd: process.cwd() };
const runtime = await createRuntime({ servers: [{ name: "demo", command }] });
try {
  const sum = await runtime.callTool("demo", "get-sum", { args: { a: 19, b: 23 } });
  console.log(createCallResult(sum).text());

  const wrong = await runtime.callTool("demo", "get-sum", { args: { a: "19" } });
  console.log(createCallResult(wrong).text());
} finally {
  await runtime.close();
}
