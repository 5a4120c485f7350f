import { expect, test } from 'vitest'
import { createClient } from '#tests/support/client.ts'
import { startEverchart, createTemporaryDataDir } from '#tests/support/everchart-process.ts'
import { newOwner } from '#tests/support/practice.ts'

test('a stop ends live update streams properly', async () => {
  const data = await createTemporaryDataDir()
  try {
    const app = startEverchart(data.folder)
    const url = await app.ready
    const { client } = await newOwner({ newClient: () => createClient(url) })
    const stream = await fetch(`${url}/api/changes`, { headers: { cookie: client.cookie() ?? '' } })
    expect(stream.status).toBe(200)
    app.kill('SIGTERM')
    // A dropped connection makes this throw.
    expect(await stream.text()).toContain('event: open')
    expect((await app.ended).code).toBe(0)
  } finally {
    await data.remove()
  }
})
