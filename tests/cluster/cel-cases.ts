/** Values that a rule of the CRD asks about in another engine than the server's: each must be judged alike by both. */

/** Addresses, good and bad: Go's net/url there, source/cel/go-url.ts here. */
export const addresses: readonly string[] = [
  ...["https://a.example", "https://a.example/%41", "https://a.example/ä", "https://a.example/[x]"],
  // Escapes.
  ...["https://a.example/a%2", "https://a.example/%", "https://a.example/%00", "https://a.example?%zz"],
  ...["https://a.example/?a=%zz", "https://a.example/#%zz", "https://u%zz@a.example/", "https://%00/"],
  ...["https://a%20b/", "https://a%41b/", "https://a%C3%A4b/", "https://a%FFb/", "https://a%25b/"],
  // Ports.
  ...["https://a.example:", "https://a.example:/x", "https://a.example:0/", "https://a.example:99999/"],
  ...["https://a.example:8a/", "https://a:b:c/", "https://a:b/", "https://a.example:80:90/"],
  ...["https://:443/oai", "https://a.example:80@b/"],
  // IPv6, IPv4.
  ...["https://::1/", "https://[::1]/", "https://[::1/", "https://[::1]x/", "https://[::1]:80/"],
  ...["https://[::1]:x/", "https://[zz]/", "https://[1.2.3.4]/", "https://[::ffff:1.2.3.4]/"],
  ...["https://[::ffff:102:304]/", "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/"],
  ...["https://[fe80::1%25]/", "https://a[::1]/", "https://[]/", "https://[:]/", "https://[1::2::3]/"],
  ...["https://[12345::]/", "https://[::1%2]/", "https://1.2.3.4.5/", "https://256.1.1.1/"],
  // Letters of a host.
  ...["https://a<b/", "https://a>b/", 'https://a"b/', "https://a\\b/", "https://a^b/", "https://a`b/"],
  ...["https://a{b}/", "https://a|b/", "https://a b/", "https://a!$&'()*+,;=b/", "https://-a/"],
  ...["https://a_b/", "https://.a/", "https://a../", "https://a+b/", "https://a~b/", "https://*/"],
  ...["https://ä.example/", "https://😀.example/", "https://a\u00a0b/", "https://a.example\u3000/"],
  // Letters of a path.
  ...["https://a.example/\u00a0", "https://a.example/\u2028", "https://a.example/\ufeff"],
  ...["https://a.example/a b", "https://a.example/a\tb", "https://a.example/a\u007fb"],
  ...["https://a.example/a\u0085b", 'https://a.example/"<>', "https://a.example/^`{|}"],
  // Users.
  ...["https://u@a.example/", "https://u:p@a.example/", "https://@a.example/", "https://u@@a.example/"],
  ...["https://a.example/@", "https://a.example?@", "https://a.example/?x=@", "https://ü@a.example/"],
  // No scheme, no host.
  ...["https:/a.example/", "https:a.example", "https:///a", "https://", "https://?", "https://?x=1"],
  ...["https://#", "https://#f", "http://", "HTTP://a.example/", "httpS://a.example/", "http:\\\\a.example"],
  ...["//a.example/", "/path", "*", "mailto:x@y", "://a", "http", "http:", "h ttp://a"],
  // Fragments and arguments.
  ...["https://a.example#f", "https://a.example/#f", "https://a.example/x?y#f"],
  ...["https://a.example?verb=x", "https://a.example?a=b&set=x", "https://a.example/?verb"],
  ...["https://a.example/?VERB=x", "https://a.example/;verb=x", "https://a.example?from="],
  ...[
    "https://a.example/x&until=1",
    `https://a.example/${"/".repeat(2000)}`,
    `https://${"a@".repeat(900)}a/`,
  ],
];

/** Names of time zones: Go's copy of the IANA list there, the engine's here. */
export const timeZones: readonly string[] = [
  ...["UTC", "Etc/UTC", "GMT", "GMT0", "GMT+0", "GMT-0", "Etc/GMT+5", "Etc/GMT-14", "Etc/GMT+15"],
  ...["Zulu", "Universal", "UCT", "Greenwich", "Z", "A", "UTC0", "GMT+1", "UTC+1", "Utc", "Etc/Utc"],
  ...["US/Pacific", "US/Michigan", "US/Pacific-New", "Canada/East-Saskatchewan", "America/Knox_IN"],
  ...["EST", "MST", "HST", "EST5EDT", "CST6CDT", "PST8PDT", "CET", "EET", "MET", "WET"],
  ...["GB", "GB-Eire", "NZ", "NZ-CHAT", "PRC", "ROC", "ROK", "W-SU", "Cuba", "Eire", "Turkey", "Navajo"],
  ...["Local", "localtime", "posixrules", "posix/UTC", "Etc/Unknown", "Mideast/Riyadh87"],
  ...["ACT", "AET", "AGT", "ART", "AST", "BET", "BST", "CAT", "CNT", "CST", "CTT", "EAT", "ECT", "IET"],
  ...["IST", "JST", "MIT", "NET", "NST", "PLT", "PNT", "PRT", "PST", "SST", "VST"],
  ...["SystemV/AST4", "SystemV/AST4ADT", "SystemV/PST8PDT", "SystemV/YST9"],
  ...["Asia/Calcutta", "Asia/Kolkata", "Asia/Rangoon", "Europe/Kiev", "Europe/Kyiv", "Pacific/Kanton"],
  ...["America/Ciudad_Juarez", "America/Coyhaique", "America/Argentina/Buenos_Aires"],
  ...["America/Port-au-Prince", "Antarctica/Troll", "Asia/Hanoi", "Europe", "Europe/", "Europe//Berlin"],
  ...["Europe/berlin", "europe/Berlin", "Europe/Berlin ", "../UTC", "+02:00", ""],
];
