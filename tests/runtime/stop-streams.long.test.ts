import { expect, test } from 'vitest'
import { createClient } from '#tests/support/client.ts'
import { startEverchart, createTemporaryDataDir, expectStopped } from '#tests/support/everchart-process.ts'
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
    await expectStopped(app)
  } finally {
    await data.remove()
  }
})
