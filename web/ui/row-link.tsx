import { makeStyles, tokens } from '@fluentui/react-components'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

const useStyles = makeStyles({
  link: {
    minWidth: 0,
    maxWidth: '100%',
    display: 'flex',
    color: 'inherit',
    textDecorationLine: 'none',
    ':hover': { textDecorationLine: 'underline' },
    ':focus-visible': { outlineStyle: 'none' },
    '::after': { content: '""', position: 'absolute', inset: 0, borderRadius: tokens.borderRadiusMedium },
    ':focus-visible::after': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
})

function Anchor({ children, ...props }: AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> }) {
  return (
    <a {...props} className={useStyles().link}>
      {children}
    </a>
  )
}

/** Link that is as large as its row, the nearest positioned ancestor. Other controls of the row need a `zIndex`. */
export const RowLink = createLink(Anchor)
