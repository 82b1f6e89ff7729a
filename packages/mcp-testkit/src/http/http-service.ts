import type { Host } from "../protocol/host.ts";
import { startUp } from "../protocol/start-up.ts";
import { HttpListener } from "./http-listener.ts";
import { route } from "./router.ts";
import type { HttpOptions } from "./streamable.ts";

/** Both HTTP transports of a host on one port. */
export class HttpService {
  readonly listener: HttpListener;
  readonly #host: Host;

  constructor(host: Host, port: number, options: HttpOptions) {
    this.#host = host;
    this.listener = new HttpListener(port, (request, response, signal) => {
      void route(request, response, signal, host, options);
    });
  }

  async up(): Promise<void> {
    await this.listener.up();
    await startUp(this.#host, "http");
  }

  /** As if the process had died: no port, no socket, no session, nothing that runs. */
  async down(reset: boolean): Promise<void> {
    const { sessions, backlog } = this.#host;
    const down = this.listener.down(reset);
    sessions.closeAll();
    backlog.release();
    await down;
  }
}
