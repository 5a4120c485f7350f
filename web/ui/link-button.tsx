import { Button, type ButtonProps } from '@fluentui/react-components'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type AnchorButtonProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'type'> &
  Pick<ButtonProps, 'appearance' | 'size' | 'icon'> & { ref?: Ref<HTMLAnchorElement> }

const AnchorButton = (props: AnchorButtonProps) => <Button as="a" {...(props as object)} />

/** A link that looks like a button: leads somewhere, opens in a new tab, and says so to a screen reader. */
export const LinkButton = createLink(AnchorButton)
