/** Says how full a day is; nothing while that is not known. `load` is from 0 to 1. */
export const describeLoad = (load: number | null): string[] =>
  load === null ? [] : [`${Math.round(load * 100)} percent booked`]
