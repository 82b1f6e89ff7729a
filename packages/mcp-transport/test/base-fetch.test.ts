import { expect, it } from "vitest";
import { createBaseFetch } from "../src/http/base-fetch.ts";
import { StreamableHttpTransport } from "../src/index.ts";
import { eventually } from "./support/eventually.ts";
import { failure } from "./support/failure.ts";
import { json, mcp, serve } from "./support/http-server.ts";

it("gives instances of the global class, which is what the SDKs look for", async () => {
  const server = await serve((_, response) => json(response, { a: 1 }, 400, { "x-more": "b" }));
  const { fetch, destroy } = await createBaseFetch({});
  const response = await fetch(server.url);
  expect(response).toBeInstanceOf(Response);
  expect(response.status).toBe(400);
  expect(response.headers.get("x-more")).toBe("b");
  expect(await response.json()).toEqual({ a: 1 });
  await destroy();
});

it.each([204, 205, 304])("takes %i, which has no body", async (status) => {
  const server = await serve((_, response) => response.writeHead(status).end());
  const { fetch, destroy } = await createBaseFetch({});
  expect(await fetch(server.url)).toMatchObject({ status, body: null });
  await destroy();
});

it("a status that the class does not know is an error like any other", async () => {
  const server = await mcp({
    first: (_, response) => {
      response.writeHead(999).end("so there");
      return true;
    },
  });
  const transport = new StreamableHttpTransport({ name: "odd", url: server.url });
  const error = await failure(transport.open());
  expect(error).toMatchObject({ code: "http", httpStatus: 999 });
  expect(error.message).toContain("so there");
});

it("ends its sockets with the connection", async () => {
  const server = await serve((_, response) => json(response, {}));
  const { fetch, destroy } = await createBaseFetch({});
  await (await fetch(server.url)).text();
  await destroy();
  await expect(fetch(server.url)).rejects.toThrow();
  await eventually(() => expect(server.seen).toHaveLength(1));
});
