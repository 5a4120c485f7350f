import Bowser from 'bowser'

/** Longer headers are not from a browser. */
const maxUserAgentLength = 512

/** Returns the browser and the system that a `User-Agent` names ("Chrome on Windows"); empty when it names none. */
export function describeDevice(userAgent: string): string {
  if (userAgent === '' || userAgent.length > maxUserAgentLength) return ''
  const { browser, os } = Bowser.parse(userAgent)
  return [browser.name, os.name].filter(Boolean).join(' on ').slice(0, 100)
}

/**
 * Returns the first part of a network address, too coarse to identify a household: 24 of 32 bits ("203.0.113.*"),
 * or 48 of 128 ("2001:db8:1::").
 */
export function shortenAddress(address: string): string {
  const ipv4 = /(?:^|:)(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(address)?.[1]
  if (ipv4) return `${ipv4}.*`
  if (!address.includes(':')) return ''
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head.split(':')
  const known = tail === undefined ? groups : [...groups, '0', '0', '0']
  return `${known
    .slice(0, 3)
    .map((group) => group || '0')
    .join(':')}::`
}
