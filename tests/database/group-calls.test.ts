import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import type { CommonQueryMethods } from 'slonik'
import { describe, expect, it } from 'vitest'
import { groupCalls, groupQueries, shareQueries } from '#database/group-calls.ts'

/** Doubles numbers in groups, and keeps the groups; `maxSize` is that of a group. */
function createDoubler(maxSize?: number) {
  const groups: (readonly number[])[] = []
  const double = groupCalls(async (inputs: readonly number[]) => {
    groups.push(inputs)
    if (inputs.includes(13)) throw new Error('unlucky')
    return inputs.map((input) => 2 * input)
  }, maxSize)
  return { groups, double }
}

describe('grouped calls', () => {
  it('of one turn are made together, and each gets its own output', async () => {
    const { groups, double } = createDoubler()
    expect(await Promise.all([double(1), double(2), Promise.resolve().then(() => double(3))])).toEqual([2, 4, 6])
    expect(groups).toEqual([[1, 2, 3]])
  })

  it('of later turns are not delayed by one that is still running', async () => {
    const replies = [Promise.withResolvers<string[]>(), Promise.withResolvers<string[]>()]
    let calls = 0
    const call = groupCalls(async () => (await replies[calls++]?.promise) ?? [])
    const first = call('first')
    await nextTurn()
    const second = call('second')
    await nextTurn()
    expect(calls).toBe(2)
    replies[1]?.resolve(['two'])
    expect(await second).toBe('two')
    replies[0]?.resolve(['one'])
    expect(await first).toBe('one')
  })

  it('fail with their group, and the next group is made all the same', async () => {
    const { groups, double } = createDoubler()
    const failed = await Promise.allSettled([double(1), double(13)])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await double(2)).toBe(4)
    expect(groups).toEqual([[1, 13], [2]])
  })

  it('get outputs of which one may fail alone', async () => {
    const call = groupCalls((inputs: readonly number[]) =>
      Promise.resolve(inputs.map((input) => (input === 13 ? Promise.reject(new Error('unlucky')) : input))),
    )
    const [first, second] = await Promise.allSettled([call(1), call(13)])
    expect([first, second]).toMatchObject([{ value: 1 }, { reason: { message: 'unlucky' } }])
  })

  it('of a query are made together on one database, and apart from those on another', async () => {
    const groups: [name: unknown, inputs: readonly string[]][] = []
    const query = groupQueries((db, inputs: readonly string[]) => {
      groups.push([(db as unknown as { name: string }).name, inputs])
      return Promise.resolve(inputs)
    })
    const [one, other] = ['one', 'other'].map((name) => ({ name }) as unknown as CommonQueryMethods)
    if (!one || !other) throw new Error('Two databases are expected')
    expect(await Promise.all([query(one, 'a'), query(other, 'b'), query(one, 'c')])).toEqual(['a', 'b', 'c'])
    expect(groups).toEqual([
      ['one', ['a', 'c']],
      ['other', ['b']],
    ])
  })

  it('are each made once, whatever their number and the size of a group', async () => {
    const turns = fc.array(fc.array(fc.integer({ min: 100, max: 999 }), { maxLength: 20 }), { maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(turns, fc.integer({ min: 1, max: 7 }), async (inputs, maxSize) => {
        const { groups, double } = createDoubler(maxSize)
        const outputs: Promise<number>[] = []
        for (const turn of inputs) {
          outputs.push(...turn.map(double))
          await nextTurn()
        }
        expect(await Promise.all(outputs)).toEqual(inputs.flat().map((input) => 2 * input))
        expect(groups.flat()).toEqual(inputs.flat())
        expect(groups.every(({ length }) => length > 0 && length <= maxSize)).toBe(true)
      }),
    )
  })
})

describe('shared queries', () => {
  type Page = { practice: string; search?: string | undefined; limit: number }

  /** Finds a page, which is the number of the query, and keeps the pages that were asked for. */
  function createPages() {
    const asked: Page[] = []
    const find = shareQueries(async (_, page: Page) => {
      asked.push(page)
      if (page.search === 'unlucky') throw new Error('unlucky')
      return [asked.length]
    })
    const db = { name: 'one' } as unknown as CommonQueryMethods
    return { asked, find: (page: Page) => find(db, page) }
  }

  it('with equal inputs are one in a turn, and another one in the next', async () => {
    const { asked, find } = createPages()
    const page = { practice: 'a', limit: 20 }
    const [first, second] = await Promise.all([find(page), find({ ...page, search: undefined })])
    expect(second).toBe(first)
    expect(await find(page)).toEqual([2])
    expect(asked).toEqual([page, page])
  })

  it('with other inputs are others, and fail alone', async () => {
    const { find } = createPages()
    const pages = [
      { practice: 'a', limit: 20 },
      { practice: 'b', limit: 20 },
      { practice: 'a', search: 'unlucky', limit: 20 },
      { practice: 'a', search: 'unlucky', limit: 20 },
      { practice: 'a', limit: 50 },
    ]
    const outcomes = await Promise.allSettled(pages.map(find))
    expect(outcomes).toMatchObject([
      { value: [1] },
      { value: [2] },
      { reason: { message: 'unlucky' } },
      { reason: { message: 'unlucky' } },
      { value: [4] },
    ])
  })

  it('of one name are one query for what their inputs are merged to', async () => {
    const asked: { practice: string; ids: readonly number[] }[] = []
    const double = shareQueries(
      (_, input: { practice: string; ids: readonly number[] }) => {
        asked.push(input)
        return Promise.resolve(new Map(input.ids.map((id) => [id, 2 * id])))
      },
      {
        toName: ({ practice }) => practice,
        merge: (inputs, first) => ({ ...first, ids: inputs.flatMap(({ ids }) => ids) }),
      },
    )
    const db = { name: 'one' } as unknown as CommonQueryMethods
    const calls = [
      { practice: 'a', ids: [1, 2] },
      { practice: 'b', ids: [3] },
      { practice: 'a', ids: [4] },
    ]
    const [first, , third] = await Promise.all(calls.map((call) => double(db, call)))
    expect([first?.get(2), third?.get(4)]).toEqual([4, 8])
    expect(asked).toEqual([
      { practice: 'a', ids: [1, 2, 4] },
      { practice: 'b', ids: [3] },
    ])
  })
})
