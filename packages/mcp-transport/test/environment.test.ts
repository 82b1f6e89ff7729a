import { describe, expect, it } from "vitest";
import { childEnvironment, droppedProxies } from "../src/stdio/environment.ts";

const config = { name: "s", command: "c" };

describe("childEnvironment", () => {
  const parent = { HOME: "/h", PATH: "/bin", TERM: "t", SECRET: "x", FN: "() { :; }", EMPTY: "" };

  it.each<[given: object, expected: object]>([
    [{}, { HOME: "/h", PATH: "/bin", TERM: "t" }],
    [{ inheritEnv: false }, { HOME: "/h", PATH: "/bin", TERM: "t" }],
    [{ env: { PATH: "/own", A: "1" } }, { HOME: "/h", PATH: "/own", TERM: "t", A: "1" }],
    [
      { inheritEnv: ["SECRET", "EMPTY", "MISSING", "FN"] },
      { HOME: "/h", PATH: "/bin", TERM: "t", SECRET: "x", EMPTY: "" },
    ],
    [{ inheritEnv: true }, { HOME: "/h", PATH: "/bin", TERM: "t", SECRET: "x", EMPTY: "" }],
    [{ inheritEnv: ["__proto__", "toString"] }, { HOME: "/h", PATH: "/bin", TERM: "t" }],
  ])("with %j", (given, expected) => {
    expect(childEnvironment({ ...config, ...given }, parent, "linux")).toEqual(expected);
  });

  it("passes on what Windows programs need", () => {
    const windows = { SYSTEMROOT: "C:\\Windows", PATHEXT: ".EXE;.CMD", TEMP: "C:\\t", SECRET: "x" };
    expect(childEnvironment(config, windows, "win32")).toEqual({
      SYSTEMROOT: "C:\\Windows",
      PATHEXT: ".EXE;.CMD",
      TEMP: "C:\\t",
    });
  });
});

describe("droppedProxies", () => {
  it("names the proxy variables that the child does not get", () => {
    const parent = { HTTP_PROXY: "a", https_proxy: "b", NO_PROXY: "c", ALL_PROXY: "d", PROXY: "e" };
    expect(droppedProxies({ NO_PROXY: "c" }, parent)).toEqual([
      "HTTP_PROXY",
      "https_proxy",
      "ALL_PROXY",
    ]);
    expect(droppedProxies(parent, parent)).toEqual([]);
  });
});
