/**
 * A body that is read only when somebody asks for it: the SDK has to have taken note of the
 * response's headers before the first message in it is delivered.
 */
export function lazyBody(
  read: (enqueue: (bytes: Uint8Array) => void) => Promise<"more" | "end">,
  cancel: (reason: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let waiting = true;
        const enqueue = (bytes: Uint8Array): void => {
          waiting = false;
          controller.enqueue(bytes);
        };
        while (waiting) {
          if ((await read(enqueue)) === "end") return controller.close();
        }
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}
