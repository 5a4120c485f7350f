import { describe, it } from 'vitest'
import { dataExportsDecider } from '#modules/data-exports/decider.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import {
  before,
  counts,
  downloaded,
  expired,
  expiresAt,
  failed,
  fileId,
  firstId,
  otherFileId,
  practiceId,
  ready,
  requested,
  retried,
  secondId,
  started,
  userId,
} from './fixtures.ts'

const given = deciderSpec(dataExportsDecider)
const first = { exportId: firstId, practiceId }
const second = { exportId: secondId, practiceId }
const file = { fileId, bytes: 1_000, counts, expiresAt }

describe('a request', () => {
  it('is made once', () => {
    given()
      .when({ type: 'Request', ...first, requestedBy: userId })
      .then(requested())
    given(requested(), started(), ready(), expired('time'))
      .when({ type: 'Request', ...first, requestedBy: userId })
      .thenNothing()
  })

  it('is refused while another export is written', () => {
    for (const history of [[requested()], [requested(), started()], [requested(), failed(), retried()]])
      given(...history)
        .when({ type: 'Request', ...second, requestedBy: userId })
        .thenRefused('export-running')
    for (const last of [failed(), ready()])
      given(requested(), started(), last)
        .when({ type: 'Request', ...second, requestedBy: userId })
        .then(requested(secondId))
  })
})

describe('the file', () => {
  it('is begun once, also again after a failure', () => {
    given(requested())
      .when({ type: 'Start', ...first })
      .then(started())
    given(requested(), started())
      .when({ type: 'Start', ...first })
      .thenNothing()
    given(requested(), started(), failed())
      .when({ type: 'Start', ...first })
      .then(started())
    given(requested(), failed(), requested(secondId))
      .when({ type: 'Start', ...first })
      .thenRefused('export-running')
    given()
      .when({ type: 'Start', ...first })
      .thenRefused('unknown-export')
  })

  it('is the first one that is complete', () => {
    given(requested(), started())
      .when({ type: 'Complete', ...first, ...file })
      .then(ready())
    given(requested(), started(), ready())
      .when({ type: 'Complete', ...first, ...file, fileId: otherFileId })
      .thenNothing()
    given(requested(), started(), failed())
      .when({ type: 'Complete', ...first, ...file })
      .thenNothing()
  })

  it('replaces the one before', () => {
    given(requested(), started(), ready(), requested(secondId), started(secondId))
      .when({ type: 'Complete', ...second, ...file })
      .then(expired('replaced'), ready(secondId))
  })

  it('fails only while it is written', () => {
    given(requested(), started())
      .when({ type: 'Fail', ...first, reason: 'no-more-tries' })
      .then(failed())
    given(requested(), started(), ready())
      .when({ type: 'Fail', ...first, reason: 'no-more-tries' })
      .thenNothing()
  })

  it('is retried after a failure, while no other export is written', () => {
    const retry = { type: 'Retry', ...first, requestedBy: userId } as const
    given(requested(), started(), failed()).when(retry).then(retried())
    given(requested(), started(), failed(), retried()).when(retry).thenNothing()
    given(requested(), started(), ready()).when(retry).thenRefused('export-not-failed')
    given(requested(), failed(), requested(secondId)).when(retry).thenRefused('export-running')
    given().when(retry).thenRefused('unknown-export')
    // It would be too large again.
    given(requested(), started(), failed(firstId, 'too-large')).when(retry).thenRefused('export-too-large')
  })
})

describe('a download', () => {
  const download = { type: 'RecordDownload', ...first, userId, fileId, now: before } as const

  it('is recorded each time', () => {
    given(requested(), started(), ready()).when(download).then(downloaded())
    given(requested(), started(), ready(), downloaded()).when(download).then(downloaded())
  })

  it('is refused without a file', () => {
    given().when(download).thenRefused('unknown-export')
    given(requested(), started()).when(download).thenRefused('export-not-ready')
    given(requested(), started(), failed()).when(download).thenRefused('export-not-ready')
    given(requested(), started(), ready())
      .when({ ...download, fileId: null })
      .thenRefused('export-not-ready')
  })

  it('is refused from the instant at which it expires, whether that is recorded or not', () => {
    given(requested(), started(), ready())
      .when({ ...download, now: expiresAt })
      .thenRefused('export-expired')
    given(requested(), started(), ready(), expired('replaced')).when(download).thenRefused('export-expired')
  })
})

it('expires once, when its time is over', () => {
  given(requested(), started(), ready())
    .when({ type: 'Expire', ...first, now: before })
    .thenNothing()
  given(requested(), started(), ready())
    .when({ type: 'Expire', ...first, now: expiresAt })
    .then(expired('time'))
  given(requested(), started(), ready(), expired('replaced'))
    .when({ type: 'Expire', ...first, now: expiresAt })
    .thenNothing()
})
