import {
  makeStyles,
  Menu,
  MenuDivider,
  MenuItem,
  MenuItemLink,
  MenuList,
  MenuPopover,
  tokens,
  useMenuContext_unstable as useMenuContext,
} from '@fluentui/react-components'
import { Fragment, type RefCallback, useEffect } from 'react'
import type { MenuAction } from './menu-action.ts'

const useStyles = makeStyles({
  danger: { color: tokens.colorStatusDangerForeground1, ':hover': { color: tokens.colorStatusDangerForeground1 } },
})

type ActionMenuPopoverProps = {
  opener: HTMLButtonElement
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  actions: readonly MenuAction[]
}

/** The menu that a button opens, below it. */
export function ActionMenuPopover({ opener, isOpen, onOpenChange, actions }: ActionMenuPopoverProps) {
  const { danger } = useStyles()
  return (
    <Menu
      open={isOpen}
      onOpenChange={(_, { open }) => onOpenChange(open)}
      positioning={{ position: 'below', align: 'end', target: opener }}
    >
      <OpenedBy button={opener} />
      <MenuPopover>
        <MenuList aria-labelledby={opener.id}>
          {actions.map(({ label, icon: Icon, danger: isDestructive, href, onClick }) => {
            const className = isDestructive ? danger : undefined
            const props = { icon: <Icon className={className} />, className, onClick, children: label }
            return (
              <Fragment key={label}>
                {isDestructive && <MenuDivider />}
                {href === undefined ? <MenuItem {...props} /> : <MenuItemLink {...props} href={href} />}
              </Fragment>
            )
          })}
        </MenuList>
      </MenuPopover>
    </Menu>
  )
}

/** Names the button that opens the menu around it: there the focus returns, and a click on it is not one outside. */
function OpenedBy({ button }: { button: HTMLButtonElement }): null {
  // Fluent's reference of several is a function.
  const setTrigger = useMenuContext(({ triggerRef }) => triggerRef) as unknown as RefCallback<HTMLElement>
  useEffect(() => void setTrigger(button), [setTrigger, button])
  return null
}
