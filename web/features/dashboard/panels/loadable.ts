/** Data of a panel: loading, failed or loaded. */
export type Loadable<Data> = {
  data: Data | undefined
  error: unknown
  isPending: boolean
  isFetching: boolean
  refetch?: () => unknown
}

/** Wraps data that is available immediately, such as the sample practice. */
export const toLoaded = <Data>(data: Data): Loadable<Data> => ({
  data,
  error: null,
  isPending: false,
  isFetching: false,
})

/** Applies a function to the data, once it is loaded. */
export const mapLoadable = <From, To>(loaded: Loadable<From>, map: (data: From) => To): Loadable<To> => ({
  ...loaded,
  data: loaded.data === undefined ? undefined : map(loaded.data),
})
