"""Judges records with lxml, for comparison: per rule set the number of failed asserts and successful reports of each
record, per schema whether it is valid. Reads one JSON object from standard input: records, ruleSets, schemas (paths)."""
import json
import sys

from lxml import etree, isoschematron

SVRL = "{http://purl.oclc.org/dsdl/svrl}"


def findings(rule_set, record):
    rule_set.validate(record)
    tags = (SVRL + "failed-assert", SVRL + "successful-report")
    return sum(1 for _ in rule_set.validation_report.iter(*tags))


def main():
    request = json.load(sys.stdin)
    records = {path: etree.parse(path) for path in request["records"]}
    answer = {"findings": {}, "valid": {}}
    for path in request["ruleSets"]:
        # The check of the rule set itself refuses GEMINI as published.
        rule_set = isoschematron.Schematron(etree.parse(path), store_report=True, validate_schema=False)
        answer["findings"][path] = {name: findings(rule_set, record) for name, record in records.items()}
    for path in request["schemas"]:
        schema = etree.XMLSchema(etree.parse(path))
        answer["valid"][path] = {name: schema.validate(record) for name, record in records.items()}
    json.dump(answer, sys.stdout)


main()
