import { describe, expect, it } from "vitest";
import { baseTable, inferFromBaseTable } from "../src/index.ts";

describe("the base table", () => {
  it("is the five reading and the five writing words of the document", () => {
    expect(baseTable).toEqual({
      read: ["read", "get", "list", "search", "find"],
      write: ["write", "create", "update", "delete", "set"],
    });
  });

  it.each(baseTable.read)("%s reads", (word) => {
    expect(inferFromBaseTable(`${word}_thing`)).toEqual({ readOnly: true, writes: false });
  });

  it.each(baseTable.write)("%s writes", (word) => {
    expect(inferFromBaseTable(`${word}_thing`)).toEqual({ readOnly: false, writes: true });
  });

  it.each(["read_write_register", "get_or_create", "update-list", "searchAndDelete", "set_get"])(
    "both kinds of word in %s: writing wins",
    (name) => {
      expect(inferFromBaseTable(name)).toEqual({ readOnly: false, writes: true });
    },
  );

  it.each(["fetch_user", "remove_user", "settings", "target", "widget", "thread", "", "toString"])(
    "neither in %j: nothing is known",
    (name) => {
      expect(inferFromBaseTable(name)).toEqual({ readOnly: false, writes: false });
    },
  );

  it("ignores place and kind of a word", () => {
    expect(inferFromBaseTable("stop_search")).toEqual({ readOnly: true, writes: false });
  });
});
