// Loaded before each program: nothing here may talk to another machine.
import { Socket } from "node:net";

const { connect } = Socket.prototype;

/** @this {Socket} @param {any[]} args */
function connectNear(...args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const given = typeof first === "object" ? first.host : second;
  const host = typeof given === "string" ? given : "localhost";
  const isNear = typeof first === "object" ? first.path !== undefined : typeof first === "string";
  if (!isNear && !["127.0.0.1", "::1", "localhost"].includes(host)) {
    throw new Error(`a program here wants to connect to ${host}`);
  }
  return Reflect.apply(connect, this, args);
}

Object.assign(Socket.prototype, { connect: connectNear });
