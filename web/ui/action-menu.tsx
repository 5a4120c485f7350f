import {
  Button,
  makeStyles,
  Menu,
  MenuDivider,
  MenuItem,
  MenuList,
  MenuPopover,
  tokens,
  useMenuContext_unstable as useMenuContext,
} from '@fluentui/react-components'
import type { FluentIcon } from '@fluentui/react-icons'
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal'
import { Fragment, type KeyboardEvent, type RefCallback, useEffect, useId, useState } from 'react'

/** Action on a table row. Destructive ones (`danger`) are red, below a divider. */
export type RowAction = { label: string; icon: FluentIcon; danger?: boolean; onClick: () => void }

const useStyles = makeStyles({
  danger: { color: tokens.colorStatusDangerForeground1, ':hover': { color: tokens.colorStatusDangerForeground1 } },
})

type RowMenuProps = { name: string; actions: readonly RowAction[]; tabIndex?: number }

/** Menu button with the actions of one row. A list has many, so that the menu itself is rendered only once it is opened. */
export function RowMenu({ name, actions, tabIndex }: RowMenuProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const open = (opener: HTMLButtonElement) => {
    setButton(opener)
    setOpen(true)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key === 'ArrowDown' && !event.defaultPrevented) open(event.currentTarget)
    if (event.key === 'Escape') setOpen(false)
  }
  return (
    <>
      <Button
        id={id}
        appearance="subtle"
        icon={<MoreHorizontalRegular />}
        aria-label={`Actions for ${name}`}
        aria-haspopup="menu"
        aria-expanded={isOpen || undefined}
        tabIndex={tabIndex}
        onClick={({ currentTarget }) => (isOpen ? setOpen(false) : open(currentTarget))}
        onKeyDown={onKeyDown}
      />
      {button && (
        <Menu
          open={isOpen}
          onOpenChange={(_, change) => setOpen(change.open)}
          positioning={{ position: 'below', align: 'end', target: button }}
        >
          <OpenedBy button={button} />
          <MenuPopover>
            <RowActions opener={id} actions={actions} />
          </MenuPopover>
        </Menu>
      )}
    </>
  )
}

/** Names the button that opens the menu around it: there the focus returns, and a click on it is not one outside. */
function OpenedBy({ button }: { button: HTMLButtonElement }): null {
  // Fluent's reference of several is a function.
  const setTrigger = useMenuContext(({ triggerRef }) => triggerRef) as unknown as RefCallback<HTMLElement>
  useEffect(() => void setTrigger(button), [setTrigger, button])
  return null
}

function RowActions({ opener, actions }: { opener: string; actions: readonly RowAction[] }) {
  const { danger } = useStyles()
  return (
    <MenuList aria-labelledby={opener}>
      {actions.map(({ label, icon: Icon, danger: isDestructive, onClick }) => (
        <Fragment key={label}>
          {isDestructive && <MenuDivider />}
          <MenuItem
            icon={<Icon className={isDestructive ? danger : undefined} />}
            className={isDestructive ? danger : undefined}
            onClick={onClick}
          >
            {label}
          </MenuItem>
        </Fragment>
      ))}
    </MenuList>
  )
}
