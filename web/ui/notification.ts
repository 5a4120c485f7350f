/** Short message about the result of an action. */
export type Notification = { title: string; body?: string; intent?: 'success' | 'error' }

/** Shows and removes the toasts of one live region. */
export type ToastControls = { show: (notification: Notification, onClick: () => void) => void; clear: () => void }
