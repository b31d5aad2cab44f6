// The two sizes of window that pages are looked at in.
export const windowSizes = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
} as const;
