// Loaded with `node --import` before a server that would listen on every interface: it listens on
// 127.0.0.1 instead and says on stderr where, so that PORT=0 can be used.
import net from "node:net";

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function listenOnLoopback(port, ...rest) {
  const callback = rest.find((value) => typeof value === "function");
  this.once("listening", () => {
    process.stderr.write(`LISTENING ${JSON.stringify(this.address())}\n`);
  });
  return listen.call(this, Number(port), "127.0.0.1", callback);
};
