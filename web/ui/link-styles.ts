import { makeStyles, tokens } from '@fluentui/react-components'

/** Styles of a link inside a text; `breakable` lets a long address wrap. */
export const useLinkStyles = makeStyles({
  link: {
    color: tokens.colorBrandForegroundLink,
    borderRadius: tokens.borderRadiusSmall,
    ':hover': { color: tokens.colorBrandForegroundLinkHover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '2px' },
  },
  breakable: { overflowWrap: 'anywhere' },
})
