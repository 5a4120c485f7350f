import { makeStyles } from '@fluentui/react-components'

/** Styles of the inputs of a form in a dialog: two columns where there is room, and `wide` for inputs across both. */
export const useFormGrid = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '14px',
    alignItems: 'start',
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Input': { minWidth: 0 },
    // A select is as wide as its longest option otherwise.
    '& select': { minWidth: 0 },
  },
  wide: { gridColumn: '1 / -1', minWidth: 0, overflowWrap: 'anywhere' },
})
