import type { FluentIcon } from '@fluentui/react-icons'
import type { MouseEvent } from 'react'

/** Item of a menu; a link with `href`. Destructive ones (`danger`) are red, below a divider. */
export type MenuAction = {
  label: string
  icon: FluentIcon
  danger?: boolean
  href?: string
  onClick: (event: MouseEvent) => void
}
