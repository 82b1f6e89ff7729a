import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Loopback, private, link-local and reserved ranges (RFC 6890 and its successors). */
const notPublic = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  notPublic.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  ["::", 128],
  ["::1", 128],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  notPublic.addSubnet(network, prefix, "ipv6");
}

/** An address that the policy forbids; its `code` tells it from a failure of the network. */
class BlockedAddress extends Error {
  readonly code: string = blockedCode;
}

export const blockedCode = "EBLOCKED";

/** Whether the address is not one of the public internet. An IPv4 address in IPv6 form counts as itself. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family === 0 || notPublic.check(address, family === 4 ? "ipv4" : "ipv6");
}

/**
 * Resolves a name for one connection and refuses it if any of its addresses is private. The socket
 * connects to what was checked, so a name that resolves otherwise a moment later gains nothing.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const refused = addresses.find(({ address }) => isPrivateAddress(address));
    if (refused) return callback(blocked(hostname), []);
    const [first] = addresses;
    if (options.all || first === undefined) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

/** A url may name its address outright, and then nothing is resolved. */
export function checkLiteral(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && isPrivateAddress(host)) throw blocked(host);
}

function blocked(host: string): BlockedAddress {
  return new BlockedAddress(`${host} is no address of the public internet`);
}
