/** Returns the address at which a browser on this machine opens an instance. `host` is the address that it listens on. */
export function formatAddress(host: string, port: number): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
