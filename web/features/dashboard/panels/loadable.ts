/** Something a panel shows: on its way, not to be had, or there. `refetch` asks again. */
export type Loadable<Data> = {
  data: Data | undefined
  error: unknown
  isPending: boolean
  isFetching: boolean
  refetch?: () => unknown
}

/** What is there from the start: the sample practice. */
export const toLoaded = <Data>(data: Data): Loadable<Data> => ({
  data,
  error: null,
  isPending: false,
  isFetching: false,
})

/** The same with its data seen in another way. */
export const mapLoadable = <From, To>(loaded: Loadable<From>, see: (data: From) => To): Loadable<To> => ({
  ...loaded,
  data: loaded.data === undefined ? undefined : see(loaded.data),
})
