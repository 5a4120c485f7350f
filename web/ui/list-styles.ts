import { makeStyles, tokens } from '@fluentui/react-components'

/** Styles of a bordered list with lines between its items, as in dialogs that show examples. */
export const useListStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: '0 12px',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
  },
  item: {
    padding: '8px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none' },
  },
})
