"""The harvest as one would write it in Python in an afternoon: what the harvester's speed is measured against.

sickle reads the repository, lxml validates against the XSD, lxml.isoschematron against the rules, psycopg writes.
Written fairly: schema and rules are compiled once, sickle is spared its dictionary of every record, unchanged records
are not written, writes go in batches in one transaction each, through a pipeline.

Usage: python peer.py --base-url URL --dsn DSN --xsd FILE --sch FILE [--prefix iso19139] [--batch 200]
Prints one JSON object: records, valid, invalid, inserted, updated, unchanged, seconds, recordsPerSecond, peakRssBytes.
"""
import argparse
import hashlib
import json
import resource
import sys
import time

import psycopg
from lxml import etree, isoschematron
from sickle import Sickle
from sickle.models import Record

OAI = "{http://www.openarchives.org/OAI/2.0/}"
NAMESPACES = {"svrl": "http://purl.oclc.org/dsdl/svrl"}
# A failed assert refuses a record unless its role says warning or info, as in the harvester.
REFUSALS = etree.XPath(
    "//svrl:failed-assert[not(@role) or @role = 'error' or @role = 'fatal']", namespaces=NAMESPACES
)
TITLE = etree.XPath(
    "string((.//*[local-name() = 'CI_Citation']/*[local-name() = 'title'] | .//*[local-name() = 'title'])[1])"
)
TABLES = """
    CREATE TABLE IF NOT EXISTS peer_record (
        identifier text PRIMARY KEY,
        datestamp text,
        checksum bytea NOT NULL,
        title text,
        body bytea NOT NULL,
        changed_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE IF NOT EXISTS peer_quarantine (
        identifier text PRIMARY KEY,
        reason text NOT NULL,
        body bytea NOT NULL
    );
"""
UPSERT = """
    INSERT INTO peer_record (identifier, datestamp, checksum, title, body) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (identifier) DO UPDATE
    SET datestamp = excluded.datestamp, checksum = excluded.checksum, title = excluded.title,
        body = excluded.body, changed_at = now()
"""
REFUSE = """
    INSERT INTO peer_quarantine (identifier, reason, body) VALUES (%s, %s, %s)
    ON CONFLICT (identifier) DO UPDATE SET reason = excluded.reason, body = excluded.body
"""


class PlainRecord(Record):
    """Without the dictionary sickle makes of each record, which nobody here reads."""

    def get_metadata(self):
        return None


class Gates:
    """Both gates, compiled once."""

    def __init__(self, xsd: str, sch: str):
        self.schema = etree.XMLSchema(etree.parse(xsd))
        self.rules = isoschematron.Schematron(
            etree.parse(sch), store_report=True, error_finder=REFUSALS
        )

    def reason(self, metadata) -> str | None:
        """Why a record is refused; None when it is not."""
        if not self.schema.validate(metadata):
            return f"xsd: {self.schema.error_log.last_error.message}"
        if not self.rules.validate(metadata):
            failed = REFUSALS(self.rules.validation_report)
            return "schematron: " + " ".join("".join(failed[0].itertext()).split())
        return None


def harvest(options, connection) -> dict:
    gates = Gates(options.xsd, options.sch)
    sickle = Sickle(options.base_url, class_mapping={"ListRecords": PlainRecord}, timeout=60)
    counts = dict.fromkeys(["records", "valid", "invalid", "inserted", "updated", "unchanged"], 0)
    batch = []
    for record in sickle.ListRecords(metadataPrefix=options.prefix, ignore_deleted=True):
        counts["records"] += 1
        batch.append(judged(record, gates))
        if len(batch) >= options.batch:
            write(connection, batch, counts)
            batch = []
    write(connection, batch, counts)
    return counts


def judged(record, gates):
    """Header, why it is refused or None, checksum, title, body."""
    metadata = record.xml.find(f"{OAI}metadata/*")
    if metadata is None:
        return record.header, "no metadata", b"", "", b""
    body = etree.tostring(metadata, encoding="utf-8", with_tail=False)
    try:
        reason = gates.reason(metadata)
        checksum = hashlib.sha256(etree.tostring(metadata, method="c14n", exclusive=True)).digest()
        return record.header, reason, checksum, " ".join(TITLE(metadata).split()), body
    except etree.LxmlError as error:  # What sickle's forgiving parser leaves of a broken record upsets the engine.
        return record.header, f"engine: {error}", b"", "", body


def write(connection, batch, counts) -> None:
    """One transaction: unchanged records are left alone."""
    with connection.transaction(), connection.cursor() as cursor:
        identifiers = [header.identifier for header, *_ in batch]
        cursor.execute("SELECT identifier, checksum FROM peer_record WHERE identifier = ANY(%s)", [identifiers])
        known = {identifier: bytes(checksum) for identifier, checksum in cursor}
        refused = [(h.identifier, reason, body) for h, reason, _, _, body in batch if reason is not None]
        accepted = [
            (h.identifier, h.datestamp, checksum, title, body)
            for h, reason, checksum, title, body in batch
            if reason is None and known.get(h.identifier) != checksum
        ]
        cursor.executemany(UPSERT, accepted)
        cursor.executemany(REFUSE, refused)
    updated = sum(1 for identifier, *_ in accepted if identifier in known)
    counts["invalid"] += len(refused)
    counts["valid"] += len(batch) - len(refused)
    counts["updated"] += updated
    counts["inserted"] += len(accepted) - updated
    counts["unchanged"] += len(batch) - len(refused) - len(accepted)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--dsn", required=True)
    arguments.add_argument("--xsd", required=True)
    arguments.add_argument("--sch", required=True)
    arguments.add_argument("--prefix", default="iso19139")
    arguments.add_argument("--batch", type=int, default=200)
    options = arguments.parse_args()
    started = time.monotonic()
    with psycopg.connect(options.dsn, autocommit=True) as connection:
        connection.execute(TABLES)
        counts = harvest(options, connection)
    seconds = time.monotonic() - started
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    rate = counts["records"] / seconds
    print(json.dumps({**counts, "seconds": round(seconds, 3), "recordsPerSecond": round(rate, 1), "peakRssBytes": peak}))


if __name__ == "__main__":
    main()
