import { Button, type ButtonProps } from '@fluentui/react-components'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type AnchorButtonProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'type'> &
  Pick<ButtonProps, 'appearance' | 'size' | 'icon'> & { ref?: Ref<HTMLAnchorElement> }

const AnchorButton = (props: AnchorButtonProps) => <Button as="a" {...(props as object)} />

/** Link that looks like a button: it can be opened in a new tab, and screen readers announce a link. */
export const LinkButton = createLink(AnchorButton)
