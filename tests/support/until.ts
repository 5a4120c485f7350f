import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again until the answer is what was waited for. Throws with the last answer after 25 seconds. */
export async function pollUntil<Answer>(
  ask: () => Promise<Answer>,
  isThere: (answer: Answer) => boolean,
): Promise<Answer> {
  const end = Date.now() + 25_000
  for (;;) {
    const answer = await ask()
    if (isThere(answer)) return answer
    if (Date.now() > end) throw new Error(`It did not come to it: ${JSON.stringify(answer)}`)
    await sleep(50)
  }
}
