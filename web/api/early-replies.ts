/** Replies, by URL, to requests that were sent before the code that asks for them had arrived (`web/early`); `startedAt` is in epoch milliseconds. */
export type EarlyReplies = { readonly startedAt: number; readonly byUrl: Map<string, Promise<Response>> }

declare global {
  interface Window {
    earlyReplies?: EarlyReplies
  }
}

/** Milliseconds after which a reply that no screen has asked for is not what a screen would be sent now. */
const maxAgeMs = 10_000

/** Milliseconds for which the data of a screen are fresh that users expect to be current: those that were loaded for it are not loaded twice. */
export const renderingMs = 2_000

/** Returns whether a window has early replies: it shows its first screen. */
export const hasEarlyReplies = (): boolean => (globalThis.window?.earlyReplies?.byUrl.size ?? 0) > 0

/** Takes the early reply to a GET, which only one request can have; undefined when there is none, or none anymore. */
export function takeEarlyReply(url: string): Promise<Response> | undefined {
  const early = globalThis.window?.earlyReplies
  const reply = early?.byUrl.get(url)
  early?.byUrl.delete(url)
  return early && Date.now() - early.startedAt <= maxAgeMs ? reply : undefined
}

/** Forgets the early replies: after a change, screens fetch again what they have, and must not be given what was before. */
export function dropEarlyReplies(): void {
  globalThis.window?.earlyReplies?.byUrl.clear()
}
