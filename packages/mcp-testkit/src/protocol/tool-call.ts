import { isObject, type JsonObject, notification, RpcError, rpcCode } from "../json-rpc.ts";
import { builtInTools } from "./built-in-tools.ts";
import type { Host } from "./host.ts";
import type { Performance } from "./methods.ts";
import { type TestTool, type ToolContext, textResult, toolName } from "./tool.ts";

/** The tools that are there now; one given by the test hides the built-in one of the same name. */
export function toolsOf({ service, board }: Host): readonly TestTool[] {
  const given = board().tools;
  const taken = new Set(given.map(toolName));
  const builtIn = service.builtInTools === false ? [] : builtInTools;
  return [...builtIn.filter((tool) => !taken.has(toolName(tool))), ...given];
}

/**
 * The call is on record before its tool begins, and each effect before the tool goes on.
 * @throws RpcError -32602 if there is no such tool
 */
export async function callTool(performance: Performance): Promise<unknown> {
  const { request, session, host, call } = performance;
  const { name, arguments: args = {} } = request.params;
  const tool = toolsOf(host).find((candidate) => toolName(candidate) === name);
  if (tool === undefined || typeof name !== "string") {
    throw new RpcError(rpcCode.invalidParams, `Unknown tool: ${String(name)}`);
  }
  if (!isObject(args)) {
    throw new RpcError(rpcCode.invalidParams, "Invalid params: arguments is no object");
  }
  host.journal.append({
    kind: "run",
    run: { call, tool: name, arguments: args, session: session.id, id: request.id },
  });
  if (tool.result !== undefined) return tool.result;
  if (tool.run === undefined) return textResult(JSON.stringify(args), { structuredContent: args });
  try {
    return await tool.run(args, contextOf(performance));
  } catch (error) {
    return textResult(error instanceof Error ? error.message : String(error), { isError: true });
  }
}

function contextOf({ request, session, host, signal, send }: Performance): ToolContext {
  const token = progressToken(request.params);
  return {
    signal,
    effect: (id) => host.journal.append({ kind: "effect", id }),
    request: async (method, params) => {
      const question = { method, ...(params !== undefined && { params }) };
      const answer = await session.ask(question, send, signal);
      if (answer === undefined) throw new Error("cancelled");
      if ("error" in answer) throw new Error(`the client says ${JSON.stringify(answer.error)}`);
      return answer.result;
    },
    progress: async (progress, total, message) => {
      if (token === undefined || signal.aborted) return;
      const report = {
        ...{ progressToken: token, progress },
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      await send(notification("notifications/progress", report));
    },
  };
}

export function progressToken({ _meta: meta }: JsonObject): unknown {
  return isObject(meta) ? meta["progressToken"] : undefined;
}
