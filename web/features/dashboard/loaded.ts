/** Something a panel shows: on its way, not to be had, or there. `refetch` asks again. */
export type Loaded<Data> = {
  data: Data | undefined
  error: unknown
  isPending: boolean
  isFetching: boolean
  refetch?: () => unknown
}

/** What is there from the start: the sample practice. */
export const ready = <Data>(data: Data): Loaded<Data> => ({ data, error: null, isPending: false, isFetching: false })

/** The same with its data seen in another way. */
export const mapped = <From, To>(loaded: Loaded<From>, see: (data: From) => To): Loaded<To> => ({
  ...loaded,
  data: loaded.data === undefined ? undefined : see(loaded.data),
})
