/** Key of the mutation that ends the session. */
export const signOutKey = ['sign-out'] as const

/** Message between the windows of a browser: input somewhere (epoch milliseconds), the start or the end of a session. */
export type SessionMessage =
  | { kind: 'input'; at: number }
  | { kind: 'signed-in'; userId: string; practiceId: string | null }
  | { kind: 'signed-out'; reason?: 'idle' }

// One channel for this window: a channel does not receive its own messages.
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('everchart-session')

/** Sends a message to the other windows. */
export function announceToOtherWindows(message: SessionMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin but its own
  channel?.postMessage(message)
}

/** Receives messages of other windows. Returns the function that stops it. */
export function listenToOtherWindows(onMessage: (message: SessionMessage) => void): () => void {
  const handle = ({ data }: MessageEvent<SessionMessage>) => onMessage(data)
  channel?.addEventListener('message', handle)
  return () => channel?.removeEventListener('message', handle)
}
