import { makeStyles, tokens } from '@fluentui/react-components'

/** Styles of a list whose rows are cards on a narrow screen: the link to the details, and the card around it. */
export const useCardStyles = makeStyles({
  card: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    columnGap: '8px',
    rowGap: '4px',
    alignItems: 'center',
  },
  /** A line of a card that is as long as the card. */
  wide: { gridColumn: '1 / -1' },
  link: {
    color: 'inherit',
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusSmall,
    ':hover': { textDecorationLine: 'underline' },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '1px' },
  },
  /** Extends a link over its whole card, except for the menu, which is layered above. */
  cover: {
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
    '::after': { content: '""', position: 'absolute', inset: 0, right: '48px' },
  },
})
