import { makeStyles, tokens } from '@fluentui/react-components'

/** Styles of the two halves of a review. On paper they follow each other, without a frame. */
export const useReviewStyles = makeStyles({
  panel: {
    minWidth: 0,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    '@media print': { border: 'none' },
  },
  /** A half scrolls by itself where both are side by side. */
  scrolling: {
    overflowY: 'auto',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
    '@media print': { overflowY: 'visible' },
  },
  screenOnly: { '@media print': { display: 'none' } },
})
